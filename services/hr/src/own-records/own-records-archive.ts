import type { Send } from '@suite/chassis';
import { strToU8, zipSync } from 'fflate';

/** Packs what is kept about somebody: a file for each kind of record. */
export function packOwnRecords({
  record,
}: {
  record: { as_of: string; data: Readonly<Record<string, readonly object[]>> };
}): Promise<Send> {
  const files = Object.entries(record.data).map(([name, rows]) => [
    `${name}.json`,
    strToU8(`${JSON.stringify(rows, null, 2)}\n`),
  ]);
  const archive = zipSync(Object.fromEntries(files), { mtime: new Date(record.as_of) });
  return Promise.resolve((response) => {
    response.setHeader('Content-Type', 'application/zip');
    response.setHeader('Content-Disposition', 'attachment; filename="my-data.zip"');
    response.end(archive);
    return Promise.resolve();
  });
}
