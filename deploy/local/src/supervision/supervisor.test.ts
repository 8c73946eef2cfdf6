import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startChild } from './child.ts';
import { isAlive, temporaryDirectory, writeProgram } from '../fixtures/programs.ts';
import { type Job, pauseAfter, type SupervisedProcess, supervise } from './supervisor.ts';

describe('the supervisor', () => {
  let place: ReturnType<typeof temporaryDirectory>;
  let said: string[];
  let supervised: SupervisedProcess | undefined;

  beforeEach(() => {
    place = temporaryDirectory();
    said = [];
  });

  afterEach(async () => {
    await supervised?.stop();
    place.remove();
  });

  function job(program: string, rest: Partial<Job> = {}): Job {
    const file = writeProgram(place.path, 'program.mjs', program);
    return {
      name: 'worker',
      say: (line) => said.push(line),
      ready: () => Promise.resolve(),
      async start() {
        const child = await startChild({ command: process.execPath, args: [file], log: `${place.path}/log` });
        return { pid: child.pid, exited: child.exited, stop: () => child.stop('SIGTERM', 1000) };
      },
      ...rest,
    };
  }

  const STAYS = 'setInterval(() => {}, 1000);';

  test('restarts a crashed process and reports it', async () => {
    supervised = supervise(job(STAYS));
    await supervised.started;
    const first = supervised.pid();
    process.kill(Number(first), 'SIGKILL');
    while (supervised.starts() < 2) await pause(20);
    await supervised.ready();
    expect(supervised.pid()).not.toBe(first);
    expect(said).toEqual(['worker ended (SIGKILL); it is started again in 0.25 s', 'worker is ready again']);
  });

  test('waits longer after each crash', async () => {
    supervised = supervise(job('setTimeout(() => process.exit(3), 300);'));
    await supervised.started;
    while (supervised.starts() < 3) await pause(20);
    expect(said.filter((line) => line.includes('ended'))).toEqual([
      'worker ended (exit code 3); it is started again in 0.25 s',
      'worker ended (exit code 3); it is started again in 0.5 s',
    ]);
  });

  test('gives up on a process that never gets ready, and reports its own message', async () => {
    const never = () => new Promise<void>(() => {});
    supervised = supervise(job('process.exit(1);', { ready: never, exitReason: () => 'DATABASE_URL is missing.' }));
    await expect(supervised.started).rejects.toThrow('worker does not start: DATABASE_URL is missing.');
    expect(supervised.starts()).toBe(3);
  });

  test('sends SIGKILL when a process does not stop', async () => {
    supervised = supervise(job(`process.on('SIGTERM', () => {}); ${STAYS}`));
    await supervised.started;
    await pause(300);
    const pid = supervised.pid();
    await supervised.stop();
    expect(isAlive(pid)).toBe(false);
    expect(said).toEqual([]);
  });
});

describe('the pause before the next start', () => {
  const killed = { exit: { code: null, signal: 'SIGKILL' as const } };
  const failed = { exit: { code: 1, signal: null } };

  /** Returns the pauses after a sequence of endings. */
  function pauses(endings: Array<Parameters<typeof pauseAfter>[0]>): number[] {
    let pause_ms = 0;
    return endings.map((ending) => (pause_ms = pauseAfter(ending, pause_ms)));
  }

  test('stays the shortest regardless of how often a ready process is killed', () => {
    expect(new Set(pauses(Array.from({ length: 35 }, () => ({ ...killed, ready_ms: 10 }))))).toEqual(new Set([250]));
  });

  test('does not grow when a process is killed before it is ready', () => {
    expect(pauses(Array.from({ length: 5 }, () => ({ ...killed, ready_ms: null })))).toEqual([250, 250, 250, 250, 250]);
  });

  test('doubles, up to 15 seconds, while a process keeps exiting', () => {
    const endings = Array.from({ length: 9 }, () => ({ ...failed, ready_ms: 300 }));
    expect(pauses(endings)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    expect(
      pauses(Array.from({ length: 3 }, () => ({ exit: { code: null, signal: 'SIGABRT' }, ready_ms: null }))),
    ).toEqual([250, 500, 1_000]);
  });

  test('is the shortest again after a process was ready for some seconds', () => {
    const [early, late] = [
      { ...failed, ready_ms: null },
      { ...failed, ready_ms: 5_000 },
    ];
    expect(pauses([early, early, early, late, early])).toEqual([250, 500, 1_000, 250, 500]);
  });
});

describe('a child', () => {
  test('ends when its parent process is killed', async () => {
    const place = temporaryDirectory();
    const parent = writeProgram(
      place.path,
      'parent.mjs',
      `import { startChild } from '${new URL('./child.ts', import.meta.url).pathname}';
       const child = await startChild({ command: 'sleep', args: ['600'], log: '${place.path}/child.log' });
       console.log(child.pid);
       setInterval(() => {}, 1000);`,
    );
    const spoken: string[] = [];
    const started = await startChild({
      command: process.execPath,
      args: [parent],
      log: `${place.path}/parent.log`,
      onLine: (line) => spoken.push(line),
    });
    while (spoken.length === 0) await pause(20);
    expect(isAlive(Number(spoken[0]))).toBe(true);
    process.kill(started.pid, 'SIGKILL');
    for (let tries = 0; tries < 100 && isAlive(Number(spoken[0])); tries += 1) await pause(50);
    expect(isAlive(Number(spoken[0]))).toBe(false);
    place.remove();
  });
});
