/** Settings that only one service reads. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@suite/api-docs';
import { services } from '../local/src/processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the settings that the `*.config.ts` files of each service export as `settings`, by its name. */
export async function ownSettings(): Promise<Record<string, Settings>> {
  const found: Record<string, Settings> = {};
  for (const { name } of services) {
    const paths = globSync(`services/${name}/src/**/*.config.ts`, { cwd: root }).toSorted();
    const modules = await Promise.all(
      paths.map((path) => import(`${root}${path}`) as Promise<{ settings?: Settings }>),
    );
    found[name] = Object.assign({}, ...modules.map(({ settings }) => settings ?? {})) as Settings;
  }
  return found;
}
