const rotation = 'a token or secret that was lost or shown to somebody has to be replaced without a break';
const sold = 'an instance that can end a subscription has to see it, change it, and take the end back';
const event = 'what the provider has told and what became of it is the first question when a payment is missing';
const own = 'a workspace that no partner has sold pays for itself, and the specification names no operation for it';

/** Routes of what is paid for that the specification does not list, each with its reason. */
export const ofBilling: Readonly<Record<string, string>> = {
  'POST /api/wl/token/rotate': rotation,
  'POST /api/wl/webhook-secret/rotate': rotation,
  'POST /api/wl/plans/update/{code}': 'an instance sells at prices of its own, and somebody has to set them',
  'GET /api/wl/checkout/{id}': 'an instance that has sent a customer to a page has to see what became of it',
  'GET /api/wl/subscriptions': sold,
  'GET /api/wl/subscription/{payment_subscription_id}': sold,
  'POST /api/wl/subscription/{payment_subscription_id}/resume': sold,
  'POST /api/wl/subscription/{payment_subscription_id}/change': sold,
  'GET /api/wl/events': event,
  'POST /api/wl/events/{id}/replay': event,
  'POST /api/subscription/checkout': own,
  'POST /api/subscription/change': own,
  'POST /api/subscription/cancel': own,
  'POST /api/subscription/resume': own,
  'POST /api/subscription/portal': own,
};
