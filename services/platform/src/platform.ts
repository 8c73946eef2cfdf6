/** Platform: users, permissions and plans. */
import { every, service, type Tools } from '@suite/chassis';
import { confirmNewClient } from './consumers/crm.lead-converted.ts';
import { confirmInvitedClient } from './consumers/projects.project-clients-invited.ts';
import { showCustomerOfUser } from './consumers/finance.customer-portal-user-changed.ts';
import { showVendorOfUser } from './consumers/finance.vendor-portal-user-changed.ts';
import { confirmNewStaff } from './consumers/hr.employee-created.ts';
import { removeStaffOfEmployee } from './consumers/hr.employee-deleted.ts';
import { endLogin } from './consumers/hr.employee-left.ts';
import { confirmStaffOfEmployee } from './consumers/hr.employee-updated.ts';
import { switchIntegrationsByModules } from './consumers/platform.workspace-entitlements-changed.ts';
import { PrismaClient } from './generated/client.ts';
import { settleAccountRequests } from './attempts/account-request.ts';
import { reportOwnStorage } from './storage-use/report-storage.ts';
import { endEntitlements } from './entitlements/entitlement-ends.ts';
import { tellOfTrials } from './subscriptions/trial-letters.ts';
import { sweep } from './identity/across-workspaces.ts';
import { integrationStates } from './integrations/integration.rules.ts';
import * as apiKeys from './keys/api-keys.api.ts';
import * as me from './keys/me.api.ts';
import { deliverMail } from './mail/deliver.ts';
import * as accounts from './connect/accounts.api.ts';
import { endTriedSubscriptions } from './billing/tried-subscription.ts';
import { checkSubscriptions } from './callback/check-subscriptions.ts';
import * as ownSubscription from './own-subscription/own-subscription.api.ts';
import * as soldSubscriptions from './sold-subscriptions/sold-subscriptions.api.ts';
import { subscriptions as subscriptionStates } from './billing/subscription.rules.ts';
import * as callback from './callback/callback.api.ts';
import { inboundEvents } from './callback/event.rules.ts';
import { checkouts as checkoutStates } from './checkouts/checkout.rules.ts';
import * as checkouts from './checkouts/checkouts.api.ts';
import { connectAccounts } from './connect/account.rules.ts';
import * as instances from './instances/instances.api.ts';
import * as badges from './partners/badges.api.ts';
import { partnerStates } from './partners/partner.rules.ts';
import * as partners from './partners/partners.api.ts';
import * as links from './links/links.api.ts';
import { byItself, calls, type Db } from './operations.ts';
import * as offers from './offers/offers.api.ts';
import * as publicPlans from './plans/public-plans.api.ts';
import * as roles from './roles/roles.api.ts';
import { platformRpc } from './rpc/platform.rpc.ts';
import * as subscriptions from './subscriptions/subscription.api.ts';
import * as secondFactor from './second-factor/second-factor.api.ts';
import * as smsFactor from './second-factor/sms-factor.api.ts';
import * as secondFactorLogin from './sign-in/second-factor-login.api.ts';
import * as smsGateway from './sms-gateway/sms-gateway.api.ts';
import { deliverSms, eraseSmsTexts } from './sms-messages/sms-delivery.ts';
import { smsStates } from './sms-messages/sms-message.rules.ts';
import * as smsMessages from './sms-messages/sms-messages.api.ts';
import * as sessions from './sign-in/sessions.api.ts';
import * as account from './users/account.api.ts';
import * as contacts from './users/contacts.api.ts';
import { confirmation, removeForgottenClients } from './users/client-user.ts';
import { discardFiles } from './pictures/picture.ts';
import { users as userStates } from './accounts/user.rules.ts';
import * as socialAccount from './social-account/social-account.api.ts';
import { publishPosts } from './social-posts/post-delivery.ts';
import { postStates } from './social-posts/social-post.rules.ts';
import * as socialPosts from './social-posts/social-posts.api.ts';
import * as teams from './teams/teams.api.ts';
import * as todoList from './todo-list/todo-list.api.ts';
import { removeToDoItems } from './todo-sync/todo-removal.ts';
import { watchToDoLists } from './todo-sync/todo-watch.ts';
import { syncToDoLists } from './todo-sync/todo-runs.ts';
import * as users from './users/users.api.ts';
import * as workspaces from './workspaces/workspaces.api.ts';
import { references } from './references.ts';
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
    smsFactor,
    secondFactorLogin,
    account,
    contacts,
    apiKeys,
    me,
    roles,
    users,
    teams,
    workspaces,
    links,
    instances,
    offers,
    checkouts,
    connect: accounts,
    soldSubscriptions,
    ownSubscription,
    callback,
    publicPlans,
    subscriptions,
    todoList,
    smsGateway,
    smsMessages,
    socialAccount,
    socialPosts,
    partners,
    badges,
  },
  lifecycles: [
    userStates,
    confirmation,
    subscriptionStates,
    checkoutStates,
    connectAccounts,
    inboundEvents,
    integrationStates,
    smsStates,
    postStates,
    partnerStates,
  ],
  rpc: [platformRpc],
  calls,
  references,
  consumers: [
    confirmNewClient,
    confirmInvitedClient,
    confirmNewStaff,
    confirmStaffOfEmployee,
    removeStaffOfEmployee,
    endLogin,
    showCustomerOfUser,
    showVendorOfUser,
    switchIntegrationsByModules,
  ],
  schedules: [
    settleAccountRequests,
    deliverMail,
    discardFiles,
    removeForgottenClients,
    deliverSms,
    eraseSmsTexts,
    publishPosts,
    checkSubscriptions,
    sweepUp,
    endEntitlements,
    endTriedSubscriptions,
    reportOwnStorage,
    tellOfTrials,
    syncToDoLists,
    watchToDoLists,
    removeToDoItems,
  ],
});
