/** Platform: who is who, what they may do, and which parts of the suite their workspace has. */
import { every, service, type Tools } from '@suite/chassis';
import { confirmNewClient } from './consumers/crm.lead-converted.ts';
import { confirmInvitedClient } from './consumers/projects.project-clients-invited.ts';
import { confirmNewStaff } from './consumers/hr.employee-created.ts';
import { removeStaffOfEmployee } from './consumers/hr.employee-deleted.ts';
import { endLogin } from './consumers/hr.employee-left.ts';
import { confirmStaffOfEmployee } from './consumers/hr.employee-updated.ts';
import { PrismaClient } from './generated/client.ts';
import { settleAccountRequests } from './attempts/account-request.ts';
import { sweep } from './identity/across-workspaces.ts';
import * as apiKeys from './keys/api-keys.api.ts';
import { deliverMail } from './mail/deliver.ts';
import * as links from './links/links.api.ts';
import { byItself, type Db } from './operations.ts';
import * as roles from './roles/roles.api.ts';
import { platformRpc } from './rpc/platform.rpc.ts';
import * as secondFactor from './second-factor/second-factor.api.ts';
import * as secondFactorLogin from './sign-in/second-factor-login.api.ts';
import * as sessions from './sign-in/sessions.api.ts';
import * as account from './users/account.api.ts';
import * as contacts from './users/contacts.api.ts';
import { confirmation, removeForgottenClients } from './users/client-user.ts';
import { discardFiles } from './pictures/picture.ts';
import { users as userStates } from './accounts/user.rules.ts';
import * as teams from './teams/teams.api.ts';
import * as users from './users/users.api.ts';
import * as workspaces from './workspaces/workspaces.api.ts';
import { whoSeesWhat } from './visibility.ts';

const HOUR_MS = 3_600_000;

const sweepUp = every('platform.sweep', HOUR_MS, ({ database }: Tools<Db>) =>
  database.writeEverywhere(byItself('schedule:sweep'), sweep),
);

export const platform = service({
  name: 'platform',
  visibility: whoSeesWhat,
  client: (adapter) => new PrismaClient({ adapter }),
  operations: {
    sessions,
    secondFactor,
    secondFactorLogin,
    account,
    contacts,
    apiKeys,
    roles,
    users,
    teams,
    workspaces,
    links,
  },
  lifecycles: [userStates, confirmation],
  rpc: [platformRpc],
  consumers: [
    confirmNewClient,
    confirmInvitedClient,
    confirmNewStaff,
    confirmStaffOfEmployee,
    removeStaffOfEmployee,
    endLogin,
  ],
  schedules: [settleAccountRequests, deliverMail, discardFiles, removeForgottenClients, sweepUp],
});
