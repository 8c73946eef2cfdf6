import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { machineMirror, mirrorIn } from './mirror.ts';
import { missingRequirement } from './requirements.ts';
import { isBuilt } from './root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'suite-cluster-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the requirements of a cluster', () => {
  const complete = {
    platform: 'linux',
    uid: 0,
    hasProgram: () => true,
    allowsNamespaces: () => true,
    free_memory_gib: 8,
  };

  test('are met by root on Linux with debootstrap', () => {
    expect(missingRequirement(complete)).toBeUndefined();
  });

  test('name root if another user runs the command', () => {
    expect(missingRequirement({ ...complete, uid: 1000 })).toBe(
      'The cluster needs root for its namespaces and its Debian root: run it as root.',
    );
  });

  test('name debootstrap and its package if it is missing', () => {
    const hasProgram = (name: string) => name !== 'debootstrap';
    expect(missingRequirement({ ...complete, hasProgram })).toBe(
      'The program debootstrap is missing: install it with apt-get install debootstrap.',
    );
  });

  test('name namespaces if the system does not allow any', () => {
    expect(missingRequirement({ ...complete, allowsNamespaces: () => false })).toMatch(
      /^The cluster needs namespaces, which this system does not allow: /,
    );
  });

  test('name the free memory if it is too small', () => {
    expect(missingRequirement({ ...complete, free_memory_gib: 3.14 })).toBe(
      'The cluster needs 8 GiB of free memory, and 3.1 GiB are free: stop other programs.',
    );
  });

  test('name Linux on another system', () => {
    expect(missingRequirement({ ...complete, platform: 'darwin', uid: 501 })).toMatch(/run it on Linux\.$/);
  });
});

describe('the Debian mirror of a machine', () => {
  test('is read from a one-line source with options', () => {
    const text =
      'deb http://other.example/apt stable tools\ndeb [arch=amd64 signed-by=/k] http://a.example/debian bookworm main';
    expect(mirrorIn('a.list', text)).toBe('http://a.example/debian');
  });

  test('is read from a paragraph, and not from security updates', () => {
    const security =
      'Types: deb\nURIs: http://a.example/debian-security\nSuites: bookworm-security\nComponents: main\n';
    const debian = 'Types: deb\nURIs: http://a.example/debian\nSuites: bookworm bookworm-updates\nComponents: main\n';
    expect(mirrorIn('a.sources', `${security}\n${debian}`)).toBe('http://a.example/debian');
    expect(mirrorIn('a.sources', `Enabled: no\n${debian}`)).toBeUndefined();
  });

  test('is found in any file of the sources', () => {
    mkdirSync(join(folder, 'sources.list.d'));
    expect(machineMirror(folder)).toBeUndefined();
    writeFileSync(join(folder, 'sources.list.d/debian.list'), 'deb http://b.example/debian trixie main\n');
    expect(machineMirror(folder)).toBe('http://b.example/debian');
  });
});

describe('a Debian root', () => {
  test('is built again if its contents differ from the required ones', () => {
    expect(isBuilt(folder)).toBe(false);
    mkdirSync(join(folder, 'etc'));
    writeFileSync(join(folder, 'etc/suite-cluster.json'), '{"release":"bookworm","packages":[]}');
    expect(isBuilt(folder)).toBe(false);
  });
});
