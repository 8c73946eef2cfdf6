import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm run bench',
  help: `
Usage: npm run bench [-- options]

Measures speed and memory of the suite, on a suite of its own, in about 15 minutes.
Prints one JSON line per metric, with the processor time (µs) per request and program.

  --only <name>[,<name>…]  only these groups of metrics: memory, gateway-throughput, gateway-latency, login-secrecy,
                           login, overload, restart, memory-loaded, leads, customers, workspaces, desk,
                           people, trade-lists, trial-balance, invoice-create, invoice-post,
                           invoice-post-growth, lead-scale, desk-scale, people-scale
  --million                also the metrics with a million rows (their names end with scale); takes some minutes more
  --short                  measure everything briefly, and write no results
  --no-results             write neither tools/bench/RESULTS.md nor the table of the README
  --lists                  every list of the API instead: PostgreSQL time and rows read for each page, search, sort and
                           filter; fails if a request costs more than three times the median
                           of its kind in lists with many rows. --only <operation>[,<operation>…] then names the lists
  --rows <n>               with --lists: rows in each table (10000 unless set)`,
  options: {
    only: { type: 'string' },
    'no-results': { type: 'boolean' },
    lists: { type: 'boolean' },
    rows: { type: 'string' },
    million: { type: 'boolean' },
    short: { type: 'boolean' },
  },
});
await setUp({ description: true, servers: true });
process.exitCode = await openly(node, ['tools/bench/main.ts', ...process.argv.slice(2)]);
