import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { crm } from '@suite/crm';
import { platform } from '@suite/platform';

const { paths } = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
const operations = [platform, crm]
  .flatMap((service) => [...operationsOf(service)])
  .filter(([, { body, upload }]) => body && !upload);

test.each(operations)('%s accepts the body that documents it', (_, { body, method, path }) => {
  const { example } = paths[path][method.toLowerCase()].requestBody.content['application/json'];
  expect(body!.safeParse(example).error?.issues ?? []).toEqual([]);
});
