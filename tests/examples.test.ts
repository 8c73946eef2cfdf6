import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { crm } from '@suite/crm';
import { finance } from '@suite/finance';
import { inventory } from '@suite/inventory';
import { platform } from '@suite/platform';

const { paths } = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
const all = [platform, crm, inventory, finance].flatMap((service) => [...operationsOf(service)]);
const withBody = all.filter(([, { body, upload }]) => body && !upload);
const answering = all.filter(([, { reply }]) => reply.shape !== 'stream');

test.each(withBody)('%s accepts the body that documents it', (_, { body, method, path }) => {
  const { example } = paths[path][method.toLowerCase()].requestBody.content['application/json'];
  expect(body!.safeParse(example).error?.issues ?? []).toEqual([]);
});

test.each(answering)('%s may answer with what documents it', (_, { reply, method, path }) => {
  const { example } = paths[path][method.toLowerCase()].responses[reply.status].content['application/json'];
  const record = reply.shape === 'page' ? example.data[0] : example.data;
  expect(reply.schema.safeParse(record).error?.issues ?? []).toEqual([]);
});
