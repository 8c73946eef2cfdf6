const rotation = 'a token or secret that was lost or disclosed must be replaceable without downtime';
const sold = 'an instance that can end a subscription must also view it, change it and resume it';
const event = 'a missing payment is explained by the events of the provider and their outcome';
const own = 'a workspace without a partner pays for itself, and the specification names no operation for it';

/** Billing routes that the specification does not list, each with its reason. */
export const ofBilling: Readonly<Record<string, string>> = {
  'POST /api/wl/token/rotate': rotation,
  'POST /api/wl/webhook-secret/rotate': rotation,
  'POST /api/wl/plans/update/{code}': 'an instance sells at prices of its own, and must be able to set them',
  'GET /api/wl/checkout/{id}': 'an instance that has sent a customer to a checkout page needs the outcome',
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
