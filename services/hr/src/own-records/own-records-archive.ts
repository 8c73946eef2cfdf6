import type { Send } from '@suite/chassis';

/** Packs what is kept about somebody: a file for each kind of record. */
export async function packOwnRecords({
  record,
}: {
  record: { as_of: string; data: Readonly<Record<string, readonly object[]>> };
}): Promise<Send> {
  // Loaded with the first archive: it takes 12 MiB.
  const { strToU8, zipSync } = await import('fflate');
  const files = Object.entries(record.data).map(([name, rows]) => [
    `${name}.json`,
    strToU8(`${JSON.stringify(rows, null, 2)}\n`),
  ]);
  const archive = zipSync(Object.fromEntries(files), { mtime: new Date(record.as_of) });
  return (response) => {
    response.setHeader('Content-Type', 'application/zip');
    response.setHeader('Content-Disposition', 'attachment; filename="my-data.zip"');
    response.end(archive);
    return Promise.resolve();
  };
}
