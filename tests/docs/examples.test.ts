/** Checks that every request in the API docs is accepted in a workspace, and that every response in them is real. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Operation, operationsOf } from '@suite/chassis/declarations';
import { type ExampleRecorder, type ExampleCall, endpointsOf, isCallable, openExamples } from '@suite/demo/examples';
import { documentId } from '@suite/api-docs';
import { ownOperations } from '@suite/gateway/operations';
import { declaredServices } from '@suite/testing/declared';
import { startStripe } from '@suite/testing/payments/stripe';
import { sellerOf, sellPlan } from '@suite/testing/suite/instance';
import { startProviders } from '@suite/testing/suite/providers';
import { waitForLink } from '@suite/testing/suite/mailbox';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  example?: string | number;
}

interface DocumentedExample {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { example?: { data: unknown } }> }>;
}

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
const examples: DocumentedExample[] = Object.values<Record<string, DocumentedExample>>(document.paths)
  .flatMap((methods) => Object.values(methods))
  .filter(isCallable);
const declared = new Map<string, Operation>(
  [...declaredServices, ownOperations].flatMap((one) =>
    [...operationsOf(one)].map(([name, operation]) => [documentId(name), operation] as const),
  ),
);
const suite = await useSharedSuite('selling');
const stripe = await startStripe(suite.stripe_port);
afterAll(stripe.stop);
const providers = await startProviders();
afterAll(providers.stop);
let recorder: ExampleRecorder;

beforeAll(async () => {
  const { owner } = await openWorkspace(suite);
  const mailed = (to: string, purpose: string) => waitForLink(suite, to, purpose);
  await sellPlan(suite, 'business', '35.00');
  await sellPlan(suite, 'enterprise', '90.00');
  const seller = sellerOf(suite, stripe);
  const place = { gateway: suite.gateway, owner, endpoints: endpointsOf(document), mailed, providers, seller };
  recorder = await openExamples(place);
});

/** Returns the call of a client that follows the document literally. */
function callOf({ parameters = [], requestBody }: DocumentedExample): ExampleCall {
  const named = ({ $ref = '' }: Parameter): Parameter => document.components.parameters[$ref.split('/').at(-1) ?? ''];
  const all = parameters.map((one) => (one.$ref ? named(one) : one)).filter(({ example }) => example !== undefined);
  const given = (place: 'path' | 'query') =>
    Object.fromEntries(all.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]));
  const content = requestBody?.content ?? {};
  const body = (content['application/json'] ?? Object.values(content)[0])?.example;
  return { path: given('path'), query: given('query'), ...(body !== undefined && { body }) };
}

const fieldsOf = (value: unknown): string[] =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];

/** Returns the faults of a returned file. */
const fileProblem = (type: string, media: string[]): string[] =>
  media.some((name) => name === 'application/octet-stream' || type.startsWith(name.replace('*', '')))
    ? []
    : [`a file of the type ${type} is answered, and not ${media.join(' or ')}`];

/** Returns the faults of a response: it must match the recorded one, which fits the current declaration. */
function responseProblem({ reply }: Operation, answer: unknown, recorded: { data: unknown } | undefined): string[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  const records = reply.shape === 'page' ? (recorded?.data as unknown[]) : [recorded?.data];
  const issues = records.flatMap((record) => reply.schema.safeParse(record).error?.issues ?? []);
  const names = new Set([...fieldsOf(data), ...fieldsOf(recorded?.data)]);
  const differing = [...names].filter(
    (name) => fieldsOf(data).includes(name) !== fieldsOf(recorded?.data).includes(name),
  );
  return [
    ...issues.map(({ path, message }) => `the recorded ${path.join('.')}: ${message}`),
    ...differing.map((name) => `${name} is only in one of the answers`),
  ];
}

describe('an example in the API docs', () => {
  test.each(examples.map((one) => [one.operationId, one] as const))(
    '%s is accepted, and answered like that',
    async (id, one) => {
      // The document contains neither files nor the page that sends a form.
      const { send, documented } = await recorder.prepare(id);
      const { status, type, body } = await send({ ...callOf(one), file: documented.file, origin: documented.origin });
      const content = one.responses[status]?.content ?? {};
      const operation = declared.get(id)!;
      const wrong =
        status >= 300
          ? [`${status} ${JSON.stringify(body)}`]
          : operation.reply.shape === 'stream'
            ? fileProblem(type, Object.keys(content))
            : responseProblem(operation, body, content['application/json']?.example);
      // If the new response is correct, run: npm run examples
      expect(wrong).toEqual([]);
    },
  );

  test('exists for every operation', () => {
    const recorded = JSON.parse(readFileSync(new URL('../../docs/examples.json', import.meta.url), 'utf8'));
    // To record new examples, run: npm run examples
    expect(examples.map(({ operationId }) => operationId).filter((id) => !recorded[id])).toEqual([]);
  });
});
