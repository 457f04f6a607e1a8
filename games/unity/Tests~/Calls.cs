using System;
using System.Collections.Generic;

namespace CreatorAttribution.Tests
{
    /// <summary>Starts the call that a command names.</summary>
    internal static class Calls
    {
        public static Call Start(AttributionClient client, JsonValue command, Action<object> done)
        {
            var id = Driver.Text(command, "id");
            var group = Driver.Text(command, "groupId");
            var flag = command.Find("flag")?.AsBoolean() ?? false;
            var page = (int)Driver.Number(command, "page", 0);
            var size = (int)Driver.Number(command, "pageSize", 0);
            switch (Driver.Text(command, "call"))
            {
                case "listMembers":
                    return client.ListMembers(group, page, size, result => done(ValuesOf(result)));
                case "getMemberByCode":
                    return client.GetMember(id, group, result => done(ValuesOf(result)));
                case "getMemberById":
                    return client.GetMemberById(id, group, result => done(ValuesOf(result)));
                case "getMemberByPlayer":
                    return client.GetMemberByPlayer(id, group, result => done(ValuesOf(result)));
                case "listBounties":
                    return client.ListBounties(group, page, size, result => done(ValuesOf(result)));
                case "getBounty":
                    return client.GetBounty(id, flag, group, page, size, result => done(ValuesOf(result)));
                case "getMemberProgress":
                    return client.ListProgress(id, group, page, size, result => done(ValuesOf(result)));
                case "getPlayerReferrals":
                    return client.ListReferralsOfPlayer(id, flag, group, page, size, result => done(ValuesOf(result)));
                case "getCodeReferrals":
                    return client.ListReferralsOfCode(id, flag, group, page, size, result => done(ValuesOf(result)));
                case "getReferralCode":
                    return client.GetReferralCode(id, group, result => done(ValuesOf(result)));
                default:
                    throw new ArgumentException("unknown call");
            }
        }

        private static object ValuesOf<T>(Result<T> result)
        {
            if (result.IsOk)
                return new Dictionary<string, object> { { "value", result.Value } };
            var error = result.Error;
            return new Dictionary<string, object>
            {
                {
                    "error", new Dictionary<string, object>
                    {
                        { "kind", error.Kind.ToString() }, { "status", error.Status }, { "code", error.Code },
                        { "message", error.Message }, { "tries", error.Tries }, { "retryAfterMs", error.RetryAfterMs },
                    }
                },
            };
        }
    }
}
