import type { FirstSteps } from '../../client/types.gen.ts';
import { msg } from '../../ui/text.ts';
import type { FormName } from './forms.tsx';

export type StepName = FirstSteps['steps'][number]['step'];

export interface Place {
  title: string;
  about: string;
  /** Label of the step's button, which the next open step has. */
  button: string;
  /** Form to open in place; absent for a step on another screen, and for one with a button of its own. */
  form?: FormName;
  screen?: { screen: string; query?: Readonly<Record<string, string>> };
}

export const places: Readonly<Record<StepName, Place>> = {
  group: {
    title: msg('Create a creator group'),
    about: msg('The group sets what its creators earn.'),
    button: msg('Create group'),
    form: 'group',
  },
  creator: {
    title: msg('Add a creator with a code'),
    about: msg('Players enter the code, and their purchases credit the creator.'),
    button: msg('Add creator'),
    form: 'creator',
  },
  purchase: {
    title: msg('Record your first purchase'),
    about: msg('Run a command in a terminal. It records a test purchase, which is never paid out.'),
    button: msg('Create key and command'),
  },
  portal: {
    title: msg('Invite a creator to the portal'),
    about: msg('Open a creator, and send an invitation. In the portal, creators see what they earn and why.'),
    button: msg('Choose creator'),
    screen: { screen: 'creators' },
  },
  webhook: {
    title: msg('Receive a webhook'),
    about: msg('Add an endpoint, and send it a test event.'),
    button: msg('Add endpoint'),
    form: 'endpoint',
  },
  colleague: {
    title: msg('Invite a colleague'),
    about: msg('By email, or with a link.'),
    button: msg('Invite colleague'),
    form: 'invite',
  },
};

/** Step of a publisher that has an endpoint, which hasn't received anything yet. */
export const testEndpoint: Place = {
  ...places.webhook,
  about: msg('Your endpoint hasn’t received anything yet. Open it, and send it a test event.'),
  button: msg('View endpoints'),
  screen: { screen: 'webhooks' },
};
