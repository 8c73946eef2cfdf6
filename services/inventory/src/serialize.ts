import { serializer } from '@suite/chassis';

export const serializeOn = serializer<'units' | 'categories' | 'warehouses' | 'demo'>();
