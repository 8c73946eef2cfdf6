import { afterAll, expect, test } from '@jest/globals';
import { start } from '@suite/harness';
import { notebook } from './notebook.ts';
const service = await start(notebook);
const kim = service.member({ can: ['note.view'] });
test('x', async () => {
  expect((await kim.get('/api/notes')).status).toBe(200);
});
const show = (when: string) => {
  const p = process as never as { getActiveResourcesInfo(): string[]; _getActiveHandles(): { constructor: { name: string } }[] };
  const counts: Record<string, number> = {};
  for (const x of p.getActiveResourcesInfo()) counts[x] = (counts[x] ?? 0) + 1;
  const h = p._getActiveHandles().map((x: never) => { const y = x as { constructor: { name: string }; fd?: number; remotePort?: number; localPort?: number; spawnfile?: string; destroyed?: boolean; path?: string }; return `${y.constructor.name} fd=${y.fd} r=${y.remotePort} l=${y.localPort} ${y.spawnfile ?? ''} d=${y.destroyed}`; });
  process.stderr.write(`${when} ${process.pid} ${JSON.stringify(counts)}\n${h.join('\n')}\n`);
};
afterAll(async () => { show('at once'); await new Promise((r) => setTimeout(r, 3000)); show('later'); });
