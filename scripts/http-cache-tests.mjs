// SPDX-License-Identifier: Apache-2.0

// Counts a result file of the suite as the suite's own pages do: a test whose dependency did not pass says nothing, and
// neither does one whose setup failed. Exit status 1 if a floor is missed.
//
//   node http-cache-tests.mjs SUITE-DIRECTORY RESULT.json REQUIRED-FLOOR FAILED-CEILING OPTIMAL-FLOOR

import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [suiteDirectory, resultFile, ...bounds] = process.argv.slice(2)
const [requiredFloor, failedCeiling, optimalFloor] = bounds.map(Number)

const load = async file => (await import(pathToFileURL(path.join(suiteDirectory, 'tests', file)))).default
const suites = [...await load('index.mjs'), await load('surrogate-control.mjs')]
const tests = suites.flatMap(suite => suite.tests)
const byId = new Map(tests.map(test => [test.id, test]))
const results = JSON.parse(fs.readFileSync(resultFile, 'utf8'))

const kindOf = test => test.kind ?? 'required'
const passed = test => verdictOf(test) === 'pass'

function verdictOf (test) {
  const result = results[test.id]
  if (result === undefined) return 'not run'
  if (!(test.depends_on ?? []).every(id => passed(byId.get(id)))) return 'dependency'
  if (result === true) return 'pass'
  return result[0] === 'Setup' ? 'setup' : 'fail'
}

const ofKind = kind => tests.filter(test => kindOf(test) === kind)
const count = (kind, verdict) => ofKind(kind).filter(test => verdictOf(test) === verdict).length
const verdicts = ['pass', 'fail', 'setup', 'dependency', 'not run']

console.log(['', ...verdicts].map(text => text.padEnd(11)).join(''))
for (const kind of ['required', 'optimal', 'check']) {
  console.log([kind, ...verdicts.map(verdict => String(count(kind, verdict)))].map(text => text.padEnd(11)).join(''))
}
for (const kind of ['required', 'optimal']) {
  for (const test of ofKind(kind)) {
    const verdict = verdictOf(test)
    if (verdict !== 'pass' && verdict !== 'not run') {
      const reason = verdict === 'dependency' ? `needs ${test.depends_on.join(', ')}` : results[test.id][1]
      console.log(`${kind} ${verdict}: ${test.id}: ${reason}`)
    }
  }
}

const figures = [
  ['required pass', count('required', 'pass'), requiredFloor, (figure, bound) => figure >= bound],
  ['required fail', count('required', 'fail'), failedCeiling, (figure, bound) => figure <= bound],
  ['optimal pass', count('optimal', 'pass'), optimalFloor, (figure, bound) => figure >= bound]
]
for (const [name, figure, bound, holds] of figures) {
  console.log(`${holds(figure, bound) ? 'ok    ' : 'MISSED'} ${name} ${figure} (bound ${bound})`)
}
process.exitCode = figures.every(([, figure, bound, holds]) => holds(figure, bound)) ? 0 : 1
