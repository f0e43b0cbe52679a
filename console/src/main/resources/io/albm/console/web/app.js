// SPDX-License-Identifier: Apache-2.0
// Follows the cluster over server-sent events and shows each state as it comes. Every event is the whole state, so a page
// that missed some is right again with the next. Text goes in as text only: nothing a member says can become markup.

import {bytes, perSecond, percent, words} from './format.js';

const TONES = {
  up: 'good', warning: 'warn', 'not ready': 'bad', silent: 'bad', gone: 'bad',
  serving: 'good', relieved: 'warn', draining: 'warn',
};

const at = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const cell = (...children) => element('td', {}, ...children);
const number = (text) => element('td', {class: 'number'}, text);
const head = (text) => element('th', {scope: 'row'}, text);

/** State in words and colour, never in colour alone. */
function pill(state) {
  return element('span', {class: `pill ${TONES[words(state)] ?? 'quiet'}`}, words(state));
}

function link(address, path, text) {
  return element('a', {href: `http://${address}${path}`, rel: 'noreferrer', target: '_blank'}, text);
}

/** Replaces a table's rows only if they differ, so that a selection and the focus stay where they are. */
function show(body, rows, columns, nothing) {
  const empty = element('tr', {}, element('td', {colspan: columns, class: 'nothing'}, nothing));
  const next = rows.length > 0 ? rows : [empty];
  next.forEach((row, i) => {
    const before = body.rows[i];
    if (!before) {
      body.append(row);
    } else if (!before.isEqualNode(row)) {
      before.replaceWith(row);
    }
  });
  while (body.rows.length > next.length) {
    body.lastElementChild.remove();
  }
}

function memberRow({id, role, state, endpoints, reasons}) {
  const admin = endpoints.admin;
  const serves = Object.entries(endpoints).filter(([use]) => use !== 'admin');
  const why = reasons.map((reason) => element('p', {class: 'reason'}, reason));
  return element('tr', {'data-member': `${role}/${id}`},
    head(id),
    cell(words(role)),
    cell(pill(state), ...why),
    cell(...serves.map(([use, address]) => use === 'http' && role !== 'cache-server'
      ? link(address, '/', address) : element('span', {class: 'address'}, address))),
    admin
      ? element('td', {class: 'links'}, link(admin, '/health/ready', 'health'), link(admin, '/metrics', 'metrics'),
        link(admin, '/jmx/read/io.albm:*', 'jmx'))
      : cell());
}

function meter(value, most, relieve, recover, label) {
  const bar = element('meter', {min: 0, max: most, value, 'aria-label': label});
  if (relieve !== undefined && relieve < most) {
    bar.setAttribute('low', relieve);
    bar.setAttribute('high', Math.min(recover, most));
    bar.setAttribute('optimum', most);
  }
  return bar;
}

/** A share that is neither good nor bad by itself. */
function plainMeter(value, label) {
  return element('meter', {class: 'plain', min: 0, max: 1, value, 'aria-label': label});
}

/** Which counter took the host out, and where it stood then. */
function relief({counter, value}) {
  return `${nameOf(counter)} was at ${shown(counter, value)}`;
}

/** How a counter is shown follows from the unit at the end of its name. */
function shown(field, value) {
  if (field.endsWith('BytesPerSecond')) {
    return `${bytes(value)}/s`;
  }
  if (field.endsWith('PerSecond')) {
    return perSecond(value);
  }
  if (field.endsWith('Bytes')) {
    return bytes(value);
  }
  return field.endsWith('Fraction') ? percent(value) : String(value);
}

function nameOf(field) {
  return words(field.replace(/(Bytes)?(PerSecond)?$|Fraction$/, '').replaceAll(/([A-Z])/g, '_$1'));
}

/** Counters that get a column, with its title, if any host has them. */
const COLUMNS = {
  availableMemoryBytes: 'Available memory',
  pageReadsPerSecond: 'Page reads',
  runQueueLength: 'Run queue',
  cpuBusyFraction: 'CPU busy',
  networkBytesPerSecond: 'Network',
  establishedConnections: 'Connections',
};

function columnsOf(counters) {
  return Object.keys(COLUMNS).filter((field) => counters.some(({sample}) => field in sample));
}

function showCounterNames(columns) {
  const names = at('counter-names');
  if (names.dataset.columns !== columns.join()) {
    names.dataset.columns = columns.join();
    names.replaceChildren(...[...names.children].slice(0, 2),
      ...columns.map((field) => element('th', {scope: 'col', class: 'number'}, COLUMNS[field])));
  }
}

/** Counters without a column of their own, as far as there is something to see. */
function others(sample) {
  return Object.entries(sample)
    .filter(([field, value]) => !(field in COLUMNS) && value >= 0.005)
    .map(([field, value]) => `${nameOf(field)} ${shown(field, value)}`)
    .join(', ');
}

/** One counter of one host; empty if the host does not have it. */
function counterCell(field, sample, levels, mostMemory) {
  const value = sample[field];
  if (value === undefined) {
    return number('');
  }
  switch (field) {
    case 'availableMemoryBytes':
      return element('td', {class: 'number'}, shown(field, value),
        meter(value, mostMemory, levels?.relieve, levels?.recover, 'available memory'));
    case 'cpuBusyFraction':
      return element('td', {class: 'number'}, percent(value), plainMeter(value, 'CPU busy'));
    case 'pageReadsPerSecond':
      return number(perSecond(value));
    case 'runQueueLength':
      return number(value.toFixed(1));
    case 'networkBytesPerSecond':
      return number(`${bytes(value)}/s`);
    default:
      return number(String(value));
  }
}

function counterRow({node, sample, health}, columns, levels, mostMemory) {
  return element('tr', {'data-host': node},
    head(node),
    cell(pill(health.state), ...(health.counter ? [element('p', {class: 'reason'}, relief(health))] : []),
      element('p', {class: 'reason'}, others(sample))),
    ...columns.map((field) => counterCell(field, sample, levels, mostMemory)));
}

function backendRow(pool, {id, health, inFlight, reason}) {
  return element('tr', {'data-backend': id},
    head(id), cell(pool), cell(pill(health)), number(String(inFlight)), cell(reason ?? ''));
}

function backendRows({pool, backends}) {
  return backends.length > 0
    ? backends.map((backend) => backendRow(pool, backend))
    : [element('tr', {},
      cell(), cell(pool), element('td', {colspan: 3, class: 'nothing'}, 'The pool has no backends.'))];
}

/** There is nothing to tell apart where there is one pool alone. */
function policies(pools) {
  return pools.map(({pool, policy}) => pools.length > 1 ? `${pool}: ${words(policy)}` : words(policy)).join('; ');
}

function panics(pools) {
  return pools.filter(({panic}) => panic)
    .map(({pool}) => `panic in pool ${pool}: too few backends can serve; those that should not get requests, too`)
    .join('; ');
}

/** A threshold in words; which side is bad shows in the order of its levels. */
function levelText({counter, relieve, recover}) {
  const [bad, good] = relieve <= recover ? ['below', 'above'] : ['above', 'below'];
  const level = (value) => counter === 'available-memory' || counter === 'free-swap' ? bytes(value) : String(value);
  return `a host is relieved ${bad} ${level(relieve)} of ${words(counter)}, back ${good} ${level(recover)}`;
}

function count(members) {
  return members === 1 ? '1 member serves' : `${members} members serve`;
}

function summary({reachable, healthy, processes}) {
  if (!reachable) {
    return ['bad', 'ZooKeeper cannot be reached: what follows is the last that was seen'];
  }
  const amiss = processes.filter(({state}) => words(state) !== 'up').length;
  if (!healthy) {
    return ['bad', `${amiss} of ${processes.length} members: attention needed`];
  }
  return amiss > 0
    ? ['warn', `${count(processes.length)}, ${amiss} with a warning`]
    : ['good', count(processes.length)];
}

function render(state) {
  const [tone, text] = summary(state);
  at('cluster').textContent = state.cluster;
  document.title = `${state.cluster}: ${text}`;
  at('summary').className = `pill ${tone}`;
  if (at('summary').textContent !== text) {
    at('summary').textContent = text;
  }
  show(at('members'), state.processes.map(memberRow), 5, 'No member is registered.');

  const thresholds = state.routing?.thresholds ?? [];
  const levels = thresholds.find(({counter}) => counter === 'available-memory');
  const mostMemory = Math.max(1, ...state.counters.map(({sample}) => sample.availableMemoryBytes ?? 0), 2 * (levels?.relieve ?? 0));
  at('levels').textContent = thresholds.map(levelText).join('; ');
  const columns = columnsOf(state.counters);
  showCounterNames(columns);
  show(at('counters'), state.counters.map((report) => counterRow(report, columns, levels, mostMemory)), 2 + columns.length,
    'No agent reports counters.');

  const pools = state.routing ? [state.routing, ...state.routing.others] : [];
  at('policy').textContent = policies(pools);
  at('panic').textContent = panics(pools);
  at('panic').hidden = !pools.some(({panic}) => panic);
  show(at('backends'), pools.flatMap(backendRows), 5, 'No distributor answers.');
}

/** A state comes every second or two while all is well; a connection can die without a word to the browser. */
const LONGEST_SILENCE_MILLIS = 15_000;
const WATCH_MILLIS = 1_000;

function lost() {
  at('link').textContent = 'connection lost, trying again';
  at('link').className = 'lost';
}

function follow() {
  const events = new EventSource('/events');
  let lastNews = performance.now();
  const watch = setInterval(() => {
    if (performance.now() - lastNews >= LONGEST_SILENCE_MILLIS) {
      lost();
      followAgain(0);
    }
  }, WATCH_MILLIS);
  const followAgain = (afterMillis) => {
    clearInterval(watch);
    events.close();
    setTimeout(follow, afterMillis);
  };
  events.onopen = () => {
    at('link').textContent = 'live';
    at('link').className = 'live';
  };
  events.onmessage = (event) => {
    lastNews = performance.now();
    render(JSON.parse(event.data));
  };
  events.onerror = () => {
    lost();
    if (events.readyState === EventSource.CLOSED) {
      followAgain(3000);
    }
  };
}

follow();
