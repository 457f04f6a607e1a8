import { type Static, Type } from 'typebox';
import type { Choice } from '../../notifications/choices/choice.ts';
import { digestSubjectNames, immediateSubjectNames } from '../../notifications/subjects.ts';
import { oneOf } from '../schemas.ts';

export const digestSubject = oneOf(digestSubjectNames);
export const immediateSubject = oneOf(immediateSubjectNames);

const digestList = (description: string) =>
  Type.Array(digestSubject, { uniqueItems: true, maxItems: digestSubjectNames.length, description });

export const choiceFields = {
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IANA time zone, such as Europe/Berlin.',
  }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the day at which digests are sent.' }),
  daily: digestList('Subjects of the daily digest. A digest without content is not sent.'),
  weekly: digestList('Subjects of the weekly digest, which is sent on Mondays.'),
  immediate: Type.Array(immediateSubject, {
    uniqueItems: true,
    maxItems: immediateSubjectNames.length,
    description: 'Subjects that are sent when they begin and when they end.',
  }),
};

const choice = Type.Object(choiceFields);

export const toChoice = ({ timeZone, hour, daily, weekly, immediate }: Static<typeof choice>): Choice => ({
  timeZone,
  hour,
  daily,
  weekly,
  immediate,
});

export const toFields = ({ timeZone, hour, daily, weekly, immediate }: Choice) => ({
  timeZone,
  hour,
  daily: [...daily],
  weekly: [...weekly],
  immediate: [...immediate],
});
