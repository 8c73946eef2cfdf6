import { existsSync, readFileSync } from 'node:fs';

const REASON = /FATAL|PANIC|\[FTL\]|could not|[Ee]rror/;

/** Returns why a server ended, from the last lines of its log: the lines with a reason, or else the last line. */
export function reasonIn(file: string): string {
  if (!existsSync(file)) return 'it left no log';
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(-8);
  const reasons = lines.filter((line) => REASON.test(line));
  return (reasons.length > 0 ? reasons : lines.slice(-1)).join(' / ');
}
