/** What a lead or a deal shows of its place. */
import { Id } from '@suite/chassis';
import { z } from 'zod';

/** The lead or the deal that something belongs to: exactly one of the two is set. */
export const subject = { lead_id: Id.nullable(), deal_id: Id.nullable() };

export const StageSummary = z
  .object({ id: Id, name: z.string(), type: z.string(), color: z.string() })
  .meta({ id: 'StageSummary' });

export const PipelineSummary = z.object({ id: Id, name: z.string() }).meta({ id: 'PipelineSummary' });

/** What lists of leads and of deals are filtered by: the label, source, colleague or product that one has. */
export const belongings = (kind: 'lead' | 'deal') => {
  const key = `${kind}_id`;
  return {
    label_id: { table: `${kind}_labels`, key, column: 'label_id' },
    source_id: { table: `${kind}_sources`, key, column: 'source_id' },
    user_id: { table: `${kind}_users`, key, column: 'user_id' },
    product_id: { table: `${kind}_products`, key, column: 'product_id' },
  };
};
