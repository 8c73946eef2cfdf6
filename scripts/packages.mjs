/**
 * Checks the packages of the lock file: `node scripts/packages.mjs`. Each install script must be listed in package.json
 * (`allowScripts`: true for scripts that run), and each licence must be an accepted one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';

const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);
/** Packages with another licence, or without a machine-readable one, and why they are accepted. */
const ACCEPTED = {
  'axe-core': 'MPL-2.0: checks the API docs in tests, unmodified',
  'color-convert': 'MIT, by its LICENSE file, in the version that draws badges',
  'caniuse-lite': 'CC-BY-4.0: a table of browsers, used only by tools',
  'dejavu-fonts-ttf': 'Bitstream Vera licence: free use and redistribution',
  elkjs: 'EPL-2.0: dependency of a tool, unmodified',
  'humanize-number': 'MIT, by its Readme; only in tests',
  'ical.js': 'MPL-2.0: reads calendars, unmodified',
  only: 'MIT, by its Readme; only in tests',
  'seq-queue': 'MIT, by its LICENSE file',
  'spdx-exceptions': 'CC-BY-3.0: a table of licences, used only by tools',
};
/** Separate libraries, neither modified nor linked: LGPL, loaded by sharp; MPL-2.0, which draws charts. */
const LOADED = /^@img\/sharp-(libvips-|wasm32|win32-)|^@resvg\/resvg-js/;

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Returns the licence that a package names. Undefined for binaries of other platforms, which are not installed here.
 */
function licenceOf(path, { license }) {
  if (license || !existsSync(join(root, path, 'package.json'))) return license;
  const said = read(join(path, 'package.json'));
  return said.license ?? said.licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

/** Accepts any one of alternative licences, but requires all of combined ones. */
const isAccepted = (licence) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(/ and /i).every((one) => LICENCES.has(one.trim())));

/** Returns the faults in the packages of a lock file, one sentence each. */
function faultsOf({ packages }, allowScripts) {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .flatMap(([path, locked]) => {
      const name = nameOf(path);
      const licence = licenceOf(path, locked);
      const isKnown = licence === undefined || name in ACCEPTED || LOADED.test(name) || isAccepted(licence);
      return [
        ...(locked.hasInstallScript && !(name in allowScripts)
          ? [`${name} has an install script: add it to allowScripts in package.json, with false unless it needs it.`]
          : []),
        ...(isKnown ? [] : [`${name} has the licence "${licence}", which is not on the list in scripts/packages.mjs.`]),
      ];
    });
}

const faults = [...new Set(faultsOf(read('package-lock.json'), read('package.json').allowScripts))];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
