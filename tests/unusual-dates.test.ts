import { expect, test } from '@jest/globals';
import { addDateWarnings, type Operation, operationsOf } from '@suite/chassis/declarations';
import { today } from '@suite/chassis/runtime';
import { declaredServices } from '@suite/testing/declared';

const SERVICES = ['finance', 'inventory', 'crm'];

const operations = declaredServices
  .filter(({ name }) => SERVICES.includes(name))
  .flatMap((service) =>
    [...operationsOf(service)].map(([id, operation]) => [`${service.name} ${id}`, operation] as const),
  );

type Schema = NonNullable<Operation['body']>;

const fieldsOf = (schema: Schema | undefined): Record<string, Schema> =>
  (schema as { shape?: Record<string, Schema> } | undefined)?.shape ?? {};

const isAccepted = (field: Schema, day: string): boolean => field.safeParse(day).success;

/** Whether a field accepts the days of business, but no days far in the future. */
const isBusinessDay = (field: Schema): boolean =>
  isAccepted(field, '2026-03-10') && !isAccepted(field, '2026-02-30') && !isAccepted(field, '2199-12-31');

const daysIn = ({ body }: Operation): string[] =>
  Object.entries(fieldsOf(body)).flatMap(([name, field]) => (isBusinessDay(field) ? [name] : []));

/** Operations that use a day of their body later or not at all, with the reason. */
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  'drafts, numbered or posted by a later operation': [
    ...['proposals.create', 'proposals.update', 'quotes.create', 'salesOrders.create'].map((id) => `crm ${id}`),
    ...['expenses', 'revenues', 'salesInvoices', 'purchaseInvoices'].flatMap((noun) => [
      `finance ${noun}.create`,
      `finance ${noun}.update`,
    ]),
    ...['invoicesV1.create', 'purchaseReturns.create', 'salesReturns.create'].map((id) => `finance ${id}`),
  ],
  'days of validity, without a number or an entry': ['commissionPlans', 'periodLocks'].flatMap((noun) => [
    `finance ${noun}.create`,
    `finance ${noun}.update`,
  ]),
};

const datedOperations = operations.filter(([, { reply }]) => reply.days);

test('every operation that numbers or posts on a day of its body is declared', () => {
  const undeclared = operations.flatMap(([id, operation]) =>
    operation.kind === 'command' && !operation.reply.days && daysIn(operation).length > 0 ? [id] : [],
  );
  expect(undeclared.toSorted()).toEqual(Object.values(EXEMPT).flat().toSorted());
});

test('every declaration names days of its body and its response', () => {
  const wrong = datedOperations.flatMap(([id, operation]) => {
    const { body, record } = operation.reply.days!;
    const field = record === undefined ? undefined : fieldsOf(operation.reply.schema)[record];
    const isRight =
      (body === undefined || daysIn(operation).includes(body)) &&
      (record === undefined ||
        (field !== undefined && isAccepted(field, '2026-03-10') && !isAccepted(field, '2026-02-30')));
    return isRight && (body ?? record) ? [] : [id];
  });
  expect(wrong).toEqual([]);
  expect(datedOperations.length).toBeGreaterThan(30);
});

test.each(datedOperations)(
  '%s warns about a day more than a year away, wherever its response has warnings',
  (_, { reply }) => {
    const schema = fieldsOf(reply.schema);
    const warned = (day: string) => {
      const days = Object.fromEntries(Object.values(reply.days!).map((name) => [name, day]));
      const lists = {
        ...(schema['warnings'] && { warnings: [] }),
        ...(schema['effects'] && { effects: { warnings: [] } }),
      };
      const response = { ...lists, ...(reply.days!.record && days) } as {
        warnings?: object[];
        effects?: { warnings: object[] };
      };
      addDateWarnings(reply.days, days, response, null);
      return [response.warnings, response.effects?.warnings].filter((list) => list !== undefined);
    };
    expect(warned('1901-03-10').length).toBeGreaterThan(0);
    for (const day of ['1901-03-10', '2099-03-10'])
      for (const list of warned(day)) expect(list).toMatchObject([{ code: 'unusual_date' }]);
    for (const list of warned(today('UTC'))) expect(list).toEqual([]);
  },
);
