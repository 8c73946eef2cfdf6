import { describe, expect, test } from '@jest/globals';
import { bytesOf, confinementFaults } from './confinement.ts';
import { lackOf } from './podman.ts';
import { type ContainersRun, type MeasuredContainer, missedGoals, page } from './results.ts';

describe('npm run containers', () => {
  const linux = { platform: 'linux', uid: 0 };

  test.each([
    [linux, ['podman', 'buildah', 'runc'], undefined],
    [
      linux,
      ['podman'],
      'This machine lacks buildah and runc: run `apt-get install podman buildah runc netavark debootstrap`.',
    ],
    [{ platform: 'darwin', uid: 501 }, [], 'Containers only run on Linux: run this command on a Linux machine.'],
    [
      { platform: 'linux', uid: 1000 },
      ['podman', 'buildah', 'runc'],
      'Only root may limit the memory of containers: run this command as root.',
    ],
  ])('names what a machine lacks: %j with %j', (machine, programs, sentence) => {
    expect(lackOf(machine, (program) => programs.includes(program))).toBe(sentence);
  });
});

describe('a confined container', () => {
  const status =
    'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n';
  const mounts =
    '512 400 0:52 / / ro,relatime master:1 - overlay overlay rw,lowerdir=a\n513 512 0:60 / /tmp rw - tmpfs tmpfs rw\n';
  const limit = 768 * 2 ** 20;
  const view = { status, mounts, limit };
  const required = { user: 1000, memory: '768Mi' };

  test('meets all requirements', () => {
    expect(confinementFaults(view, required)).toEqual([]);
  });

  test.each([
    [{ status: status.replace('1000', '0') }, 'runs as the user 0 instead of 1000'],
    [{ status: status.replace('CapEff:\t0000000000000000', 'CapEff:\t0000000000000400') }, 'has the capabilities 0'],
    [{ status: status.replace('CapBnd:\t0000000000000000', 'CapBnd:\t00000000a80425fb') }, 'can be given the'],
    [{ status: status.replace('NoNewPrivs:\t1', 'NoNewPrivs:\t0') }, 'may gain privileges'],
    [{ status: status.replace('Seccomp:\t2', 'Seccomp:\t0') }, 'has no filter of system calls'],
    [{ mounts: mounts.replace('ro,relatime', 'rw,relatime') }, 'may write to its root file system'],
    [{ limit: 9_223_372_036_854_771_712 }, 'has a limit of 9223372036854772000 bytes instead of 768Mi'],
  ])('reports what is missing: %#', (change, fault) => {
    expect(confinementFaults({ ...view, ...change }, required)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    ['768Mi', 805_306_368],
    ['2Gi', 2_147_483_648],
    [1024, 1_024],
    ['2G', Number.NaN],
    [undefined, Number.NaN],
  ])('has a limit of %s', (quantity, bytes) => {
    expect(bytesOf(quantity)).toBe(bytes);
  });
});

describe('the results', () => {
  const crm: MeasuredContainer = {
    name: 'crm',
    own_bytes: 39e6,
    ready_s: 7.25,
    memory_bytes: 100 * 2 ** 20,
    limit_bytes: 768 * 2 ** 20,
    stop_s: 5.5,
    exit_code: 0,
    grace_s: 45,
    is_process: true,
  };
  const nats = { ...crm, name: 'nats', own_bytes: undefined, is_process: false, exit_code: 1 };
  const run: ContainersRun = {
    containers: [crm, nats],
    first_response_s: 31.2,
    origin: 'Debian',
    machine: 'Measured.',
  };

  test('have a line for each container', () => {
    expect(page(run)).toContain(
      '\n| crm | 39 | 7.3 | 100 of 768 | 5.5 | 0 |\n| nats | – | 7.3 | 100 of 768 | 5.5 | 1 |\n',
    );
    expect(page(run)).toContain('after 31.2 s (goal: 60 s)');
  });

  test('name each missed goal', () => {
    expect(missedGoals(run)).toEqual([]);
    const slow = { ...crm, exit_code: 137, stop_s: 46 };
    expect(missedGoals({ ...run, containers: [slow], first_response_s: 61 })).toEqual([
      'The first response took 61 s, more than 60 s.',
      'crm stopped with the exit code 137 instead of 0.',
      'crm needed 46 s to stop, more than 45 s.',
    ]);
  });
});
