/**
 * Checks what the lock file brings: `node scripts/packages.mjs`. Each install script is known in package.json
 * (`allowScripts`: true for those that run), and each licence is one that we accept.
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
/** Packages with another licence, or none that a program can read, and why they may come. */
const ACCEPTED = {
  'axe-core': 'MPL-2.0: looks at the reference in tests, not changed',
  'color-convert': 'MIT, by its LICENSE file, in the edition that badges are drawn with',
  'caniuse-lite': 'CC-BY-4.0: a table of browsers, for tools only',
  'dejavu-fonts-ttf': 'the licence of Bitstream Vera: free to use and to pass on',
  elkjs: 'EPL-2.0: drawn in by a tool, not changed',
  'ical.js': 'MPL-2.0: reads calendars, not changed',
  'seq-queue': 'MIT, by its LICENSE file',
};
/** Libraries of their own, neither changed nor linked in: LGPL, loaded by sharp; MPL-2.0, which draws charts. */
const LOADED = /^@img\/sharp-(libvips-|wasm32|win32-)|^@resvg\/resvg-js/;

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The licence that a package names; undefined for the binaries of other machines, which are not here to be asked. */
function licenceOf(path, { license }) {
  if (license || !existsSync(join(root, path, 'package.json'))) return license;
  const said = read(join(path, 'package.json'));
  return said.license ?? said.licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

/** Any of the licences between which one may choose, and all of those that hold together. */
const isAccepted = (licence) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(/ and /i).every((one) => LICENCES.has(one.trim())));

/** The faults in the packages of a lock file, a sentence each. */
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
