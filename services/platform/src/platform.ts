/** Platform: users, permissions and plans. */
import { declareSchedule, service, type JobContext } from '@suite/chassis/service';
import { copyBooksOfWorkspace } from './consumers/finance.books-changed.ts';
import { confirmNewClient } from './consumers/crm.lead-converted.ts';
import { confirmInvitedClient } from './consumers/projects.project-clients-invited.ts';
import { linkCustomerOfUser } from './consumers/finance.customer-portal-user-changed.ts';
import { linkVendorOfUser } from './consumers/finance.vendor-portal-user-changed.ts';
import { confirmNewStaff } from './consumers/hr.employee-created.ts';
import { removeStaffOfEmployee } from './consumers/hr.employee-deleted.ts';
import { endLogin } from './consumers/hr.employee-left.ts';
import { confirmStaffOfEmployee } from './consumers/hr.employee-updated.ts';
import { switchIntegrationsByModules } from './consumers/platform.workspace-entitlements-changed.ts';
import { PrismaClient } from './generated/client.ts';
import { executeAccountRequests } from './identity/login-throttling/account-request.ts';
import { reportOwnStorage } from './entitlements/storage-use/report-storage.ts';
import { endEntitlements } from './entitlements/entitlements/entitlement-ends.ts';
import { sendTrialRemindersRegularly } from './workspaces/subscriptions/trial-reminders.ts';
import { deleteExpired } from './identity/workspaces-of-users/across-workspaces.ts';
import { integrationStates } from './connections/integrations/integration.rules.ts';
import * as apiKeys from './identity/keys/api-keys.api.ts';
import * as me from './identity/keys/me.api.ts';
import { deliverMail } from './identity/mail/mail-delivery.ts';
import * as accounts from './billing/connect/accounts.api.ts';
import { endTestSubscriptions } from './billing/billing/subscription-mode.ts';
import { checkSubscriptions } from './billing/webhooks/check-subscriptions.ts';
import { fetchPaymentEvents } from './billing/webhooks/fetch-events.ts';
import * as ownSubscription from './billing/subscription-payments/own-subscription.api.ts';
import * as soldSubscriptions from './billing/subscription-payments/sold-subscriptions.api.ts';
import { subscriptions as subscriptionStates } from './billing/billing/subscription.rules.ts';
import * as callback from './billing/webhooks/callback.api.ts';
import { inboundEvents } from './billing/webhooks/event.rules.ts';
import { checkouts as checkoutStates } from './billing/checkouts/checkout.rules.ts';
import * as checkouts from './billing/checkouts/checkouts.api.ts';
import { connectAccounts } from './billing/connect/account.rules.ts';
import * as instances from './billing/instances/instances.api.ts';
import * as badges from './workspaces/partners/badges.api.ts';
import { partnerStates } from './workspaces/partners/partner.rules.ts';
import * as partners from './workspaces/partners/partners.api.ts';
import * as links from './identity/links/links.api.ts';
import { withoutCaller, calls, type Db } from './operations.ts';
import * as offers from './billing/offers/offers.api.ts';
import * as publicPlans from './entitlements/plans/public-plans.api.ts';
import * as roles from './identity/roles/roles.api.ts';
import { platformRpc } from './rpc/platform.rpc.ts';
import * as subscriptions from './workspaces/subscriptions/subscription.api.ts';
import * as secondFactor from './identity/second-factor/second-factor.api.ts';
import * as smsFactor from './identity/second-factor/sms-factor.api.ts';
import * as secondFactorLogin from './identity/sign-in/second-factor-login.api.ts';
import * as smsGateway from './connections/sms-messages/sms-gateway.api.ts';
import { deliverSms, eraseSmsTexts } from './connections/sms-messages/sms-delivery.ts';
import { smsStates } from './connections/sms-messages/sms-message.rules.ts';
import * as smsMessages from './connections/sms-messages/sms-messages.api.ts';
import * as sessions from './identity/sign-in/sessions.api.ts';
import * as account from './workspaces/users/account.api.ts';
import * as contacts from './workspaces/users/contacts.api.ts';
import { confirmation, removeUnconfirmedClientsRegularly } from './workspaces/users/client-user.ts';
import { discardFiles } from './identity/accounts/picture.ts';
import { users as userStates } from './identity/accounts/user.rules.ts';
import * as socialAccount from './integrations/social-account/social-account.api.ts';
import { publishPosts } from './integrations/social-posts/post-delivery.ts';
import { postStates, socialPostActions } from './integrations/social-posts/social-post.rules.ts';
import * as socialPosts from './integrations/social-posts/social-posts.api.ts';
import * as changes from './workspaces/changes/changes.api.ts';
import * as history from './workspaces/history/history.api.ts';
import * as teams from './workspaces/teams/teams.api.ts';
import * as todoList from './integrations/todo-list/todo-list.api.ts';
import { removeToDoItems } from './integrations/todo-sync/todo-removal.ts';
import { watchToDoLists } from './integrations/todo-sync/todo-watch.ts';
import { syncToDoLists } from './integrations/todo-sync/todo-runs.ts';
import * as users from './workspaces/users/users.api.ts';
import * as workspaces from './workspaces/workspaces/workspaces.api.ts';
import { references } from './references.ts';
import { visibilityRules } from './visibility.ts';
import { roleActions } from './identity/roles/role.rules.ts';
import { teamActions } from './workspaces/teams/team.rules.ts';
import { workspaceActions } from './workspaces/workspaces/workspace.rules.ts';
import { apiKeyActions } from './identity/keys/api-key.rules.ts';
import { copies, publishes } from './copies.ts';

const HOUR_MS = 3_600_000;

const deleteExpiredHourly = declareSchedule('platform.sweep', HOUR_MS, ({ database }: JobContext<Db>) =>
  database.writeEverywhere(withoutCaller('schedule:sweep'), deleteExpired),
);

export const platform = service({
  name: 'platform',
  visibility: visibilityRules,
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
    changes,
    history,
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
    roleActions,
    teamActions,
    workspaceActions,
    apiKeyActions,
    socialPostActions,
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
    linkCustomerOfUser,
    copyBooksOfWorkspace,
    linkVendorOfUser,
    switchIntegrationsByModules,
  ],
  schedules: [
    executeAccountRequests,
    deliverMail,
    discardFiles,
    removeUnconfirmedClientsRegularly,
    deliverSms,
    eraseSmsTexts,
    publishPosts,
    checkSubscriptions,
    fetchPaymentEvents,
    deleteExpiredHourly,
    endEntitlements,
    endTestSubscriptions,
    reportOwnStorage,
    sendTrialRemindersRegularly,
    syncToDoLists,
    watchToDoLists,
    removeToDoItems,
  ],
  publishes,
  copies,
});
