/** Pipeline and stage summaries of a lead or a deal. */
import { Id } from '@suite/chassis/fields';
import { z } from 'zod';

/** Lead or deal of the record. Exactly one of the two is set. */
export const subject = { lead_id: Id.nullable(), deal_id: Id.nullable() };

export const StageSummary = z
  .object({ id: Id, name: z.string(), type: z.string(), color: z.string() })
  .meta({ id: 'StageSummary' });

export const PipelineSummary = z.object({ id: Id, name: z.string() }).meta({ id: 'PipelineSummary' });

/** Returns the filters of leads and deals by label, source, user or product. */
export const belongings = (kind: 'lead' | 'deal') => {
  const key = `${kind}_id`;
  return {
    label_id: { table: `${kind}_labels`, key, column: 'label_id' },
    source_id: { table: `${kind}_sources`, key, column: 'source_id' },
    user_id: { table: `${kind}_users`, key, column: 'user_id' },
    product_id: { table: `${kind}_products`, key, column: 'product_id' },
  };
};
