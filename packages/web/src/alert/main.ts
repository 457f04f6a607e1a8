import './styles.css';
import { type Failure, receive } from './receive.ts';
import { Stage } from './stage.ts';
import { Status } from './status.ts';

const problems: Readonly<Record<Failure, string>> = {
  ended: 'This address doesn’t work anymore. Copy a new one from the creators’ portal.',
  full: 'This stream alert is already open several times. Close one of them.',
  lost: 'Can’t connect. Trying again…',
};

/** Shows purchases until the address in the page's URL is replaced. */
function start(stage: Stage, status: Status): void {
  const secret = location.hash.slice(1);
  if (secret === '') {
    status.report('The address is incomplete. Copy it again from the creators’ portal.');
    return;
  }
  status.report('Connecting …');
  void receive(secret, {
    onPurchases({ purchases, more, settings }) {
      status.report('Connected. New purchases appear here, and in your streaming software.');
      stage.add(purchases, more, settings);
    },
    onFailure: (failure) => status.report(problems[failure]),
  });
}

// A new secret in the address doesn't load the page again.
window.addEventListener('hashchange', () => location.reload());
const [stage, status] = ['stage', 'status'].map((id) => document.getElementById(id));
if (stage && status) start(new Stage(stage), new Status(status));
