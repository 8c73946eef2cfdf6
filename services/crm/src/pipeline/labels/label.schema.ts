import { Color, Id, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { labelActions } from './label.rules.ts';

/** Coloured label. */
export const Label = record({
  pipeline_id: Id.nullable().describe('ID of the pipeline whose records can have the label. `null` for all.'),
  name: z.string(),
  color: Color,
  allowed_actions: Actions(labelActions),
}).meta({ id: 'Label' });

/** Label as shown in records. */
export const LabelSummary = z.object({ id: Id, name: z.string(), color: Color }).meta({ id: 'LabelSummary' });

export const LabelFilter = list(Label, {
  filter: ['pipeline_id', 'name', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

export const LabelInput = input({
  pipeline_id: refTo('pipelines').nullable().default(null),
  name: Name,
  color: Color.default('#64748b'),
});

export const LabelChanges = input({ name: Name.optional(), color: Color.optional(), version });
