import { lifecycle } from '@suite/chassis/operations';

/**
 * Lifecycle of a warehouse. The default warehouse stays active until another one becomes the default. The status
 * follows from the columns.
 */
export const warehouseStates = lifecycle(
  'warehouse',
  {
    default: { give_way: 'active' },
    active: { make_default: 'default', archive: 'archived' },
    archived: { make_default: 'default', restore: 'active' },
  },
  {
    actions: {
      update: 'warehouse.update',
      make_default: 'warehouse.update',
      archive: 'warehouse.update',
      restore: 'warehouse.update',
      delete: { permission: 'warehouse.delete', in: ['active', 'archived'] },
      give_way: { by: 'warehouses.update' },
    },
  },
);
