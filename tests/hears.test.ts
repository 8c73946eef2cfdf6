import { expect, test } from '@jest/globals';
import { eventName, type Service } from '@suite/chassis/declarations';
import { crm } from '@suite/crm';
import { finance } from '@suite/finance';
import { inventory } from '@suite/inventory';
import { platform } from '@suite/platform';
import { processes } from '@suite/local/processes';

const services: Service[] = [platform, crm, inventory, finance];

test.each(services)('NATS lets $name read the events that its consumers are about, and no others', (service) => {
  const sources = (service.consumers ?? []).map(({ event }) => eventName(event).split('.')[0]);
  const row = processes.find(({ name }) => name === service.name);
  expect(new Set(row?.hears ?? [])).toEqual(new Set(sources));
});
