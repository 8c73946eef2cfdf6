import { serializer } from '@suite/chassis/database';

export const serializeOn = serializer<
  'departments' | 'holidays' | 'managers' | 'notices' | 'salary_components' | 'shifts'
>();
