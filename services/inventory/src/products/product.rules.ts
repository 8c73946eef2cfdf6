import { lifecycle } from '@suite/chassis/operations';

/** Lifecycle of a product: active until it is archived. The status follows from the column `active`. */
export const productStates = lifecycle(
  'product',
  { active: { archive: 'archived' }, archived: { restore: 'active' } },
  {
    actions: {
      update: 'product.update',
      archive: 'product.update',
      restore: 'product.update',
      delete: 'product.delete',
    },
  },
);
