import { Id, input, Name, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { sourceActions } from './source.rules.ts';

/** Source: the channel that leads and deals come from. */
export const Source = record({ name: z.string(), allowed_actions: Actions(sourceActions) }).meta({ id: 'Source' });

/** Source as shown in records. */
export const SourceSummary = z.object({ id: Id, name: z.string() }).meta({ id: 'SourceSummary' });

export const SourceFilter = list(Source, {
  filter: ['name', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

export const SourceInput = input({ name: Name });

export const SourceChanges = input({ name: Name.optional(), version });
