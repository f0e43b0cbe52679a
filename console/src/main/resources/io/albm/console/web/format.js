// SPDX-License-Identifier: Apache-2.0
// Numbers for people.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value) {
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  return `${rest.toFixed(rest < 10 && unit > 0 ? 1 : 0)} ${UNITS[unit]}`;
}

export function perSecond(value) {
  return `${value.toFixed(value < 10 ? 1 : 0)}/s`;
}

export function percent(fraction) {
  return `${Math.round(fraction * 100)} %`;
}

/** The words of an enum or a key: NOT_READY and not-ready become "not ready". */
export function words(name) {
  return String(name).toLowerCase().replaceAll(/[_-]/g, ' ');
}
