import { lifecycle } from '@suite/chassis';

/** One warehouse is the default and stays active, until another one takes its place: what its columns say. */
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
      give_way: { by: 'warehouses.update' },
    },
  },
);
