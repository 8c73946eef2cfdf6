import { serializer } from '@suite/chassis';

export const serializeOn = serializer<
  'departments' | 'holidays' | 'managers' | 'notices' | 'salary_components' | 'shifts'
>();
