/** Passwords alone: argon2id with the settings of platform, as many concurrent hashes as cores, and nothing else. */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { serveParent } from '../load/child-process.ts';
import type { FiredRequests } from '../load/load.ts';
import { median } from '../load/median.ts';

const PASSWORD = 'correct horse battery staple';

const storedHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

serveParent({}, async ({ seconds }: { seconds: number }): Promise<FiredRequests> => {
  const begun = performance.now();
  const times: number[] = [];
  const verifying = async () => {
    while (performance.now() < begun + seconds * 1_000) {
      const since = performance.now();
      await verify(storedHash, PASSWORD);
      times.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, verifying));
  const took_s = (performance.now() - begun) / 1_000;
  return { per_second: times.length / took_s, median_ms: median(times), used: 0 };
});
