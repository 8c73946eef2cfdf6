import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as branches from './branches/branches.api.ts';
import { forgetUser } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import * as departments from './departments/departments.api.ts';
import * as designations from './designations/designations.api.ts';
import * as documentTypes from './document-types/document-types.api.ts';
import { PrismaClient } from './generated/client.ts';
import { on } from './operations.ts';
import * as shifts from './shifts/shifts.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** People and where, when and as what they work. */
export const hr = service({
  name: 'hr',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: { branches, departments, designations, documentTypes, shifts },
  consumers: [openWorkspace, ...userFollowers(on, 'hr'), forgetUser],
});
