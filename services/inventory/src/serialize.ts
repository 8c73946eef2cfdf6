import { serializer } from '@suite/chassis/database';

export const serializeOn = serializer<'units' | 'categories' | 'warehouses' | 'demo'>();
