import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deadline } from '../runtime/config.ts';
import type { Place, StoredObject } from './place.ts';

/** A bucket of S3 or of a server with the same interface. The AWS SDK finds the credentials and the region in its own way. */
export interface BucketSettings {
  bucket: string;
  /** Folder of the service in the bucket, which all services can share. */
  folder: string;
  /** Address of a server other than AWS. */
  endpoint?: string | undefined;
  region?: string | undefined;
}

/** Largest time to connect, and to wait for a response, in milliseconds. */
const [CONNECT_MS, RESPONSE_MS] = [2_000, 20_000];

/** Loads the SDK only for the first file. */
async function openClient({ bucket: name, endpoint, region }: BucketSettings) {
  const [{ Disk }, { S3Driver }, { S3Client, paginateListObjectsV2 }] = await Promise.all([
    import('flydrive'),
    import('flydrive/drivers/s3'),
    import('@aws-sdk/client-s3'),
  ]);
  const client = new S3Client({
    ...(region && { region }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Many servers do not know the checksums that newer versions of the SDK add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: deadline(CONNECT_MS), requestTimeout: deadline(RESPONSE_MS) },
  });
  const disk = new Disk(new S3Driver({ client, bucket: name, visibility: 'private', supportsACL: false }));
  /** Returns the pages of what is directly in a folder, up to a thousand entries each. */
  const list = (path: string) =>
    paginateListObjectsV2({ client }, { Bucket: name, Prefix: `${path}/`, Delimiter: '/' });
  return { disk, list };
}

/** A bucket for files. @param incoming local folder for the files that are scanned */
export function bucket(settings: BucketSettings, incoming: string): Place {
  let opened: ReturnType<typeof openClient> | undefined;
  const client = () => (opened ??= openClient(settings));
  const pathOf = (key: string) => `${settings.folder}/${key}`;
  return {
    name: `the bucket ${settings.bucket}`,
    disk: async () => (await client()).disk,
    pathOf,
    restrict: () => Promise.resolve(),
    async withFile(key, work) {
      const { disk } = await client();
      const path = join(incoming, randomUUID());
      try {
        await writeFile(path, await disk.getStream(pathOf(key)), { mode: 0o600 });
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    async folders() {
      const { list } = await client();
      const names: string[] = [];
      for await (const { CommonPrefixes = [] } of list(settings.folder))
        names.push(...CommonPrefixes.map(({ Prefix = '' }) => basename(Prefix)));
      return names;
    },
    async list(workspace_id) {
      const { list } = await client();
      const objects: StoredObject[] = [];
      for await (const { Contents = [] } of list(pathOf(workspace_id))) {
        for (const { Key = '', Size = 0, LastModified } of Contents)
          objects.push({
            key: `${workspace_id}/${basename(Key)}`,
            size: Size,
            changed_at: LastModified ?? new Date(0),
          });
      }
      return objects;
    },
  };
}
