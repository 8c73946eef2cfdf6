/** Deputies: somebody who is away has a colleague decide for him. */
import { ok, signedIn } from '@suite/chassis';
import { command } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
import { Deputies, DeputyInput } from './deputy.schema.ts';
import { nameDeputy } from './deputy.ts';

export const name = command('POST /api/hrm/deputy', {
  summary: 'Choose your deputy',
  description:
    'For some days, on which he decides on the leave that waits for oneself; without a `user_id` nobody does. The answer has all from today on.',
  access: signedIn,
  body: DeputyInput,
  reply: ok(Deputies),
  faults: [NotAnEmployee],
  handle: ({ db, caller, body }) => nameDeputy(db, caller, body),
});
