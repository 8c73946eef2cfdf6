import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';
import { OBJECT_TYPES } from './activity.ts';

/** Activity in a project. */
export const Activity = z
  .object({
    id: Id,
    verb: z.string().describe('Type of the activity, such as `created`, `updated` or `moved`.'),
    object: z.object({ type: choice(...OBJECT_TYPES), id: Id, label: z.string() }),
    diff: z
      .record(z.string(), z.array(z.unknown()))
      .describe(
        'Changed fields, each with its value before and after. The verb `skipped` has the first and the last skipped day of a series, and `skipped_count`.',
      ),
    actor: UserLabel.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'ProjectActivity' });

/** History entry with its filter columns. */
const Row = Activity.omit({ object: true }).extend({
  object: choice(...OBJECT_TYPES),
  actor_id: Id.nullable(),
  updated_at: Timestamp,
});

export const ActivityFilter = list(Row, { filter: ['object', 'actor_id', 'at'], sort: ['at'], order: '-at' });
