import { expect, test } from '@jest/globals';
import { innerFields, marked, operationsOf } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

/** Names of fields that contain the cost of goods, the value of stock, or a margin. */
const COST = /^(purchase_price|(average|unit|restocked)_cost|cost|stock_value|margin|journal_lines)$/;
/** Objects whose `value` is the stock value. */
const STOCK = /^(stocks?|products?|warehouses?|transfers?|inventory)\./;

const fieldsOf = marked(
  (schema) => {
    const mark = innerFields.get(schema);
    if (mark) return mark.permissions;
    return ['string', 'pipe', 'nullable'].includes(schema.def.type) ? [] : undefined;
  },
  { nested: true },
);

const services = declaredServices.filter(({ name }) => ['finance', 'inventory', 'crm', 'support'].includes(name));

test.each(services)('every cost that $name returns requires product.cost', (service) => {
  const open = [...operationsOf(service)].flatMap(([id, { reply }]) => {
    const fields = fieldsOf(reply.schema).map(({ path, mark }) => ({
      path: path.join('.'),
      name: path.at(-1) ?? '',
      mark,
    }));
    const hidden = new Set(fields.filter(({ mark }) => mark.includes('product.cost')).map(({ path }) => path));
    return fields
      .filter(({ name }) => COST.test(name) || (name === 'value' && STOCK.test(id)))
      .filter(({ path }) => !hidden.has(path))
      .map(({ path }) => `${id}: ${path}`);
  });
  expect(open).toEqual([]);
});

test('costs are found by their names', () => {
  const found = services.flatMap((service) =>
    [...operationsOf(service).values()].flatMap(({ reply }) =>
      fieldsOf(reply.schema).filter(({ mark }) => mark.includes('product.cost')),
    ),
  );
  expect(new Set(found.map(({ path }) => path.at(-1)))).toEqual(
    new Set([
      'purchase_price',
      'average_cost',
      'unit_cost',
      'cost',
      'restocked_cost',
      'stock_value',
      'value',
      'journal_lines',
    ]),
  );
});
