import { service } from '@suite/chassis';
import { PrismaClient } from './generated/client.ts';
import * as notes from './notes/notes.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** The smallest service: one resource, on which the chassis is tested. */
export const notebook = service({
  name: 'notebook',
  client: (adapter) => new PrismaClient({ adapter }),
  operations: { notes },
  visibility: whoSeesWhat,
  lifecycles: [notes.notes],
});
