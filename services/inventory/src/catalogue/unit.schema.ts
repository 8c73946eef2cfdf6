import { Id, input, ShortText, Name, Qty, QtyOut, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { unitActions } from './catalogue.rules.ts';

/** Unit of measurement. */
export const Unit = record({
  name: z.string(),
  symbol: z.string(),
  base_id: Id.nullable().describe('ID of the base unit that this unit is a multiple of.'),
  factor: QtyOut.describe('Number of base units in this unit.'),
  allowed_actions: Actions(unitActions),
}).meta({ id: 'Unit' });

/** Short form of a unit, as in products. */
export const UnitSummary = z.object({ id: Id, name: z.string(), symbol: z.string() }).meta({ id: 'UnitSummary' });

export const UnitFilter = list(Unit, {
  filter: ['name', 'symbol', 'base_id', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

export const UnitInput = input({
  name: Name,
  symbol: ShortText(20).min(1).meta({ example: 'pc' }),
  base_id: refTo('units').nullable().default(null),
  factor: Qty.default('1'),
});

export const UnitChanges = input({
  name: Name.optional(),
  symbol: ShortText(20).min(1).optional(),
  base_id: refTo('units').nullable().optional(),
  factor: Qty.optional(),
  version,
});
