using System;
using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>
    /// Reads creators, bounties and referrals with a public key. Call <see cref="Update"/> regularly, such as in each frame:
    /// it sends requests, ends those that take too long, and reports results. It uses no threads and no timers.
    /// An empty group stands for the publisher's default group, and a page or page size of 0 for the service's default.
    /// </summary>
    public sealed class AttributionClient
    {
        private readonly ClientOptions options;
        private readonly ITransport transport;
        private readonly Dictionary<string, string> headers;
        private readonly List<Call> calls = new List<Call>();
        private bool isUpdating;

        public AttributionClient(ClientOptions options, ITransport transport)
        {
            this.options = options;
            this.transport = transport;
            headers = new Dictionary<string, string>
            {
                { "Accept", "application/json, text/plain" },
                { "X-SHARED-SECRET", options.PublicKey },
            };
        }

        internal ClientOptions Options
        {
            get { return options; }
        }

        /// <summary>Lists a group's approved, visible members, in the order in which they joined.</summary>
        public Call ListMembers(string groupId, int page, int pageSize, Action<Result<MemberPage>> done)
        {
            return Start(Paged("manage/members", groupId, page, pageSize), MemberPage.Read, done);
        }

        /// <summary>Returns the approved member with a code, in upper or lower case; else <c>CodeNotInGroup</c>.</summary>
        public Call GetMember(string code, string groupId, Action<Result<Member>> done)
        {
            return GetMember(code, groupId, RetryRules.MaxTries, done);
        }

        internal Call GetMember(string code, string groupId, int maxTries, Action<Result<Member>> done)
        {
            var address = new Address().Fixed("manage/members").Value("code", code).Query("groupId", groupId);
            return Start(address, Member.Read, done, maxTries);
        }

        /// <summary>Returns the approved member with an account id; else <c>CodeNotInGroup</c>.</summary>
        public Call GetMemberById(string memberId, string groupId, Action<Result<Member>> done)
        {
            var address = new Address().Fixed("manage/members/id").Value("memberId", memberId).Query("groupId", groupId);
            return Start(address, Member.Read, done);
        }

        /// <summary>Returns the approved member with one of the publisher's player ids; else <c>PlayerNotInGroup</c>.</summary>
        public Call GetMemberByPlayer(string playerId, string groupId, Action<Result<Member>> done)
        {
            var address = new Address().Fixed("manage/members/player").Value("playerId", playerId).Query("groupId", groupId);
            return Start(address, Member.Read, done);
        }

        /// <summary>Lists a group's bounties, ordered by their start.</summary>
        public Call ListBounties(string groupId, int page, int pageSize, Action<Result<BountyPage>> done)
        {
            return Start(Paged("bounties", groupId, page, pageSize), BountyPage.Read, done);
        }

        /// <summary>Returns a bounty, and a page of its members' progress if it is wanted; else <c>BountyNotFound</c>.</summary>
        public Call GetBounty(string bountyId, bool includeProgress, string groupId, int page, int pageSize,
            Action<Result<BountyDetail>> done)
        {
            var address = new Address().Fixed("bounties").Value("bountyId", bountyId).Query("groupId", groupId)
                .Query("includeProgress", includeProgress).Query("page", page).Query("pageSize", pageSize);
            return Start(address, BountyDetail.Read, done);
        }

        /// <summary>Lists a member's progress, with an entry for each bounty that the member has started.</summary>
        public Call ListProgress(string memberId, string groupId, int page, int pageSize,
            Action<Result<MemberProgressPage>> done)
        {
            var address = new Address().Fixed("bounties/member/id").Value("memberId", memberId)
                .Query("groupId", groupId).Query("page", page).Query("pageSize", pageSize);
            return Start(address, MemberProgressPage.Read, done);
        }

        /// <summary>Lists the supporters of the creator with a player id. With a public key, it doesn't say who they are.</summary>
        public Call ListReferralsOfPlayer(string playerId, bool excludeReferralList, string groupId, int page, int pageSize,
            Action<Result<ReferralPage>> done)
        {
            var address = new Address().Fixed("referrals/player").Value("playerId", playerId).Query("groupId", groupId)
                .Query("excludeReferralList", excludeReferralList).Query("page", page).Query("pageSize", pageSize);
            return Start(address, ReferralPage.Read, done);
        }

        /// <summary>Lists the supporters of a code's creator. With a public key, it doesn't say who they are.</summary>
        public Call ListReferralsOfCode(string code, bool excludeReferralList, string groupId, int page, int pageSize,
            Action<Result<ReferralPage>> done)
        {
            var address = new Address().Fixed("referrals/code").Value("code", code).Query("groupId", groupId)
                .Query("excludeReferralList", excludeReferralList).Query("page", page).Query("pageSize", pageSize);
            return Start(address, ReferralPage.Read, done);
        }

        /// <summary>Returns the own code of the creator with a player id; else <c>ReferralAccountNotFound</c>.</summary>
        public Call GetReferralCode(string playerId, string groupId, Action<Result<string>> done)
        {
            var address = new Address().Fixed("referrals/player").Value("playerId", playerId).Fixed("code")
                .Query("groupId", groupId);
            return StartText(address, text => text, done, RetryRules.MaxTries);
        }

        /// <summary>Sends what is due, and reports what has ended.</summary>
        /// <param name="nowMs">Time in milliseconds, by a clock that never goes back, such as the time since the start.</param>
        public void Update(double nowMs)
        {
            if (isUpdating)
                return;
            isUpdating = true;
            try
            {
                for (var index = 0; index < calls.Count; index++)
                    calls[index].Update(nowMs);
            }
            finally
            {
                calls.RemoveAll(call => call.IsDone);
                isUpdating = false;
            }
        }

        private static Address Paged(string words, string groupId, int page, int pageSize)
        {
            return new Address().Fixed(words).Query("groupId", groupId).Query("page", page).Query("pageSize", pageSize);
        }

        private Call Start<T>(Address address, Func<JsonValue, T> read, Action<Result<T>> done,
            int maxTries = RetryRules.MaxTries)
        {
            return StartText(address, text => read(JsonReader.Read(text)), done, maxTries);
        }

        private Call StartText<T>(Address address, Func<string, T> read, Action<Result<T>> done, int maxTries)
        {
            var request = new HttpRequest(address.On(options.BaseAddress), headers, options.MaxBodyBytes);
            var call = new Call(options, transport, request, maxTries, response =>
            {
                T value;
                var error = Responses.Read(response, read, out value);
                if (error == null)
                    done(new Result<T>(value));
                return error;
            });
            call.OnError = error => done(new Result<T>(error));
            if (address.Fault != null)
                call.FailAtNextUpdate(new AttributionError(ErrorKind.InvalidInput, address.Fault));
            calls.Add(call);
            return call;
        }
    }
}
