import type { AuditedOperation, House } from './house.ts';

const path = '/scheduled-rev-shares';
const windowOf = (year: number) => ({
  startDate: `${year}-01-01T00:00:00Z`,
  endDate: `${year + 1}-01-01T00:00:00Z`,
  revShare: 20,
});

async function make({ send }: House, year: number): Promise<string> {
  const { body } = await send('POST', path, windowOf(year));
  return body.id;
}

export const scheduleOperations: AuditedOperation[] = [
  {
    operation: 'createScheduledRevShare',
    action: 'schedule.create',
    prepare:
      async ({ send }) =>
      () =>
        send('POST', path, windowOf(2060)),
    refused: ({ send }) => send('POST', path, { ...windowOf(2068), revShare: 700 }),
  },
  {
    operation: 'replaceScheduledRevShare',
    action: 'schedule.replace',
    async prepare(house) {
      const id = await make(house, 2062);
      return () => house.send('PUT', `${path}/${id}`, { ...windowOf(2062), revShare: 30 });
    },
    refused: ({ send }) => send('PUT', `${path}/${'x'.repeat(21)}`, windowOf(2064)),
  },
  {
    operation: 'deleteScheduledRevShare',
    action: 'schedule.delete',
    async prepare(house) {
      const id = await make(house, 2066);
      return () => house.remove(`${path}/${id}`);
    },
    refused: ({ remove }) => remove(`${path}/${'x'.repeat(21)}`),
  },
];
