import { foreignId, input, refTo } from '@suite/chassis/fields';
import { z } from 'zod';

const ids = (id: z.ZodUUID) => z.array(id).min(1).max(50);

/** Members of a record, by kind. */
export const MemberInputs = {
  label: input({ label_ids: ids(refTo('labels')) }),
  source: input({ source_ids: ids(refTo('sources')) }),
  user: input({ user_ids: ids(foreignId('platform.user')) }),
  client: input({ client_ids: ids(foreignId('platform.user')) }),
};
