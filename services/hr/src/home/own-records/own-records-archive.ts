import type { ResponseWriter } from '@suite/chassis/operations';

/** Packs all records of an employee, one file for each kind of record. */
export async function packOwnRecords({
  record,
}: {
  record: { as_of: string; records: Readonly<Record<string, readonly object[]>> };
}): Promise<ResponseWriter> {
  // Loads the library with the first archive, because it needs 12 MiB.
  const { strToU8, zipSync } = await import('fflate');
  const files = Object.entries(record.records).map(([name, rows]) => [
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
