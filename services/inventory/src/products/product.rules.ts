import { lifecycle } from '@suite/chassis';

/** A product is offered until it is archived: what its column `active` says. */
export const productStates = lifecycle(
  'product',
  { active: { archive: 'archived' }, archived: { restore: 'active' } },
  { actions: { update: 'product.update', archive: 'product.update', restore: 'product.update' } },
);
