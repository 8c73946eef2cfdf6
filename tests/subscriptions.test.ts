import { expect, test } from '@jest/globals';
import { calledServices, eventName } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { processes, services } from '@suite/local/processes';

test.each([...declaredServices])('NATS lets $name read exactly the events of its consumers', (service) => {
  const sources = (service.consumers ?? []).map(({ event }) => eventName(event).split('.')[0]);
  const row = processes.find(({ name }) => name === service.name);
  expect(new Set(row?.subscribesTo ?? [])).toEqual(new Set(sources));
});

test.each([...declaredServices])('the table of the suite lists the services that $name calls', (service) => {
  const row = services.find(({ name }) => name === service.name);
  expect(new Set(row?.calls)).toEqual(new Set(calledServices(service)));
});
