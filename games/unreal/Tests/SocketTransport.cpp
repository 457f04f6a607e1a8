#include "SocketTransport.h"

#include "Core/Address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace CreatorAttribution::Tests
{
/** Request and response over one connection. */
class SocketTransport::Exchange
{
public:
	Exchange(const HttpRequest& Request, std::function<void(HttpResponse)> InDone)
		: Done(std::move(InDone)), MaxBodyBytes(Request.MaxBodyBytes)
	{
		// Tests use addresses such as http://127.0.0.1:8080/v1.
		const std::string Rest = Request.Url.substr(std::strlen("http://"));
		const std::string Authority = Rest.substr(0, Rest.find('/'));
		const std::size_t Colon = Authority.find(':');
		ToSend = "GET " + Rest.substr(Authority.size()) + " HTTP/1.0\r\nHost: " + Authority + "\r\n";
		for (const auto& [Name, Value] : Request.Headers)
			ToSend += Name + ": " + Value + "\r\n";
		ToSend += "\r\n";
		sockaddr_in To = {};
		To.sin_family = AF_INET;
		To.sin_port = htons(static_cast<std::uint16_t>(std::atoi(Authority.substr(Colon + 1).c_str())));
		inet_pton(AF_INET, Authority.substr(0, Colon).c_str(), &To.sin_addr);
		Socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		const int Connected = connect(Socket, reinterpret_cast<sockaddr*>(&To), sizeof To);
		if (Connected != 0 && errno != EINPROGRESS)
			Failure = std::strerror(errno);
	}

	~Exchange()
	{
		close(Socket);
	}

	Exchange(const Exchange&) = delete;
	Exchange& operator=(const Exchange&) = delete;

	/** Sends and receives what is possible. Returns true when the response was reported. */
	bool Poll()
	{
		pollfd Ready = {Socket, static_cast<short>(ToSend.empty() ? POLLIN : POLLOUT), 0};
		if (Failure.empty() && poll(&Ready, 1, 0) > 0)
			Failure = ToSend.empty() ? Receive() : SendMore();
		if (Received.size() > MaxBodyBytes + 16384)
		{
			HttpResponse TooLarge;
			TooLarge.bIsTooLarge = true;
			return Report(std::move(TooLarge));
		}
		if (bIsEnded)
			return Report(Parsed());
		if (Failure.empty())
			return false;
		return Report(Failed(Failure));
	}

	bool bIsCanceled = false;

private:
	std::string SendMore()
	{
		const ssize_t Count = send(Socket, ToSend.data(), ToSend.size(), MSG_NOSIGNAL);
		if (Count < 0)
			return std::strerror(errno);
		ToSend.erase(0, static_cast<std::size_t>(Count));
		return "";
	}

	std::string Receive()
	{
		char Buffer[65536];
		const ssize_t Count = recv(Socket, Buffer, sizeof Buffer, 0);
		if (Count < 0)
			return std::strerror(errno);
		Received.append(Buffer, static_cast<std::size_t>(Count));
		bIsEnded = Count == 0;
		return "";
	}

	static HttpResponse Failed(std::string Reason)
	{
		HttpResponse Response;
		Response.Failure = std::move(Reason);
		return Response;
	}

	HttpResponse Parsed() const
	{
		const std::size_t End = Received.find("\r\n\r\n");
		if (End == std::string::npos)
			return Failed("The connection ended before the headers did.");
		HttpResponse Response;
		Response.Status = std::atoi(Received.substr(9, 3).c_str());
		Response.Body = Received.substr(End + 4);
		Response.RetryAfter = HeaderOf("retry-after", End);
		const std::string Length = HeaderOf("content-length", End);
		if (!Length.empty() && Response.Body.size() < static_cast<std::size_t>(std::atoll(Length.c_str())))
			return Failed("The connection ended before the body did.");
		Response.bIsTooLarge = Response.Body.size() > MaxBodyBytes;
		return Response;
	}

	std::string HeaderOf(const std::string& Name, std::size_t End) const
	{
		std::string Head = Received.substr(0, End) + "\r\n";
		std::transform(Head.begin(), Head.end(), Head.begin(), [](unsigned char Each) { return std::tolower(Each); });
		const std::size_t Place = Head.find("\r\n" + Name + ":");
		if (Place == std::string::npos)
			return "";
		const std::size_t Start = Place + Name.size() + 3;
		return std::string(Trimmed(std::string_view(Received).substr(Start, Head.find("\r\n", Start) - Start)));
	}

	bool Report(HttpResponse Response)
	{
		Done(std::move(Response));
		return true;
	}

	std::function<void(HttpResponse)> Done;
	std::size_t MaxBodyBytes;
	std::string ToSend;
	std::string Received;
	std::string Failure;
	bool bIsEnded = false;
	int Socket = -1;
};

class SocketTransport::Pending : public PendingRequest
{
public:
	explicit Pending(std::shared_ptr<Exchange> InStarted) : Started(std::move(InStarted))
	{
	}

	~Pending() override
	{
		Started->bIsCanceled = true;
	}

private:
	std::shared_ptr<Exchange> Started;
};

std::unique_ptr<PendingRequest> SocketTransport::Send(const HttpRequest& Request, std::function<void(HttpResponse)> Done)
{
	Exchanges.push_back(std::make_shared<Exchange>(Request, std::move(Done)));
	return std::make_unique<Pending>(Exchanges.back());
}

void SocketTransport::Poll()
{
	for (const std::shared_ptr<Exchange>& Each : std::vector<std::shared_ptr<Exchange>>(Exchanges))
		if (Each->bIsCanceled || Each->Poll())
			Exchanges.erase(std::find(Exchanges.begin(), Exchanges.end(), Each));
}
}
